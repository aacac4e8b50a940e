/** A call that failed, as one error: the published reason, what to tell the player, and what to do about it. */

import { Code, ConnectError } from "@connectrpc/connect";
import { durationMs } from "@bufbuild/protobuf/wkt";
import { RefusalSchema, type Refusal } from "../gen/daifugo/v1/game_pb.js";
import { Reason, RetryAdvice } from "../gen/daifugo/v1/rules_pb.js";
import { ErrorInfoSchema, LocalizedMessageSchema, RetryInfoSchema } from "../gen/google/rpc/error_details_pb.js";

const DOMAIN = "daifugo.v1";

/** What the service says of each of its reasons (RulesService.ListReasons). */
export type Advice = ReadonlyMap<Reason, RetryAdvice>;

/** The service said no, or could not be reached. */
export class Refused extends Error {
  override readonly name = "Refused";
  readonly code: Code;
  /** Reason.UNSPECIFIED if this client does not know the reason, or if there is none: nobody of the service answered. */
  readonly reason: Reason;
  /** The reason as it came, such as "NOT_YOUR_TURN"; empty if none came. */
  readonly reasonName: string;
  /** Whether to send the same request again, to look at the table again, or to give up. */
  readonly advice: RetryAdvice;
  /** How long the service asks to wait before the next attempt. */
  readonly retryMs: number;
  /** For a refused action: everything that speaks against it, and its possible readings. */
  readonly refusal: Refusal | undefined;

  constructor(error: ConnectError, advice: Advice) {
    const said = error.findDetails(LocalizedMessageSchema)[0];
    super(said?.message || error.rawMessage, { cause: error });
    const info = error.findDetails(ErrorInfoSchema).find((each) => each.domain === DOMAIN);
    const delay = error.findDetails(RetryInfoSchema)[0]?.retryDelay;
    this.code = error.code;
    this.reasonName = info?.reason ?? "";
    this.reason = reasonOf(this.reasonName);
    this.advice = advice.get(this.reason) ?? adviceFor(error.code, this.reasonName !== "");
    this.retryMs = delay ? durationMs(delay) : 0;
    this.refusal = error.findDetails(RefusalSchema)[0];
  }
}

/** Read whatever a call threw. Errors that are none of the call, such as an abort, are thrown on. */
export function refused(thrown: unknown, advice: Advice): Refused {
  if (thrown instanceof Refused) return thrown;
  return new Refused(ConnectError.from(thrown), advice);
}

function reasonOf(name: string): Reason {
  const value = (Reason as unknown as Record<string, Reason | undefined>)[name];
  return typeof value === "number" ? value : Reason.UNSPECIFIED;
}

/** Go by the status code, where the reason is not known or nobody of the service has answered. */
function adviceFor(code: Code, fromService: boolean): RetryAdvice {
  switch (code) {
    case Code.Unavailable:
    case Code.DeadlineExceeded:
      return RetryAdvice.SAME;
    case Code.Aborted:
      // a connection that breaks may look like this as well
      return fromService ? RetryAdvice.REFETCH : RetryAdvice.SAME;
    case Code.Canceled:
    case Code.Internal:
    case Code.Unknown:
      return fromService ? RetryAdvice.GIVE_UP : RetryAdvice.SAME;
    case Code.FailedPrecondition:
      return RetryAdvice.REFETCH;
    default:
      return RetryAdvice.GIVE_UP;
  }
}
