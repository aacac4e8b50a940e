export { Backoff } from "./backoff.ts";
export { cardText, rankOf, weakestFirst } from "./cards.ts";
export { verdict, witness, type Verdict, type Witness } from "./fairness.ts";
export { UnknownEvent, folded } from "./fold.ts";
export { Guest, newDeviceSecret } from "./guest.ts";
export { Player, byLot, first, type Policy } from "./player.ts";
export { Refused, type Advice } from "./refused.ts";
export { Session, type Renewing, type SessionOptions } from "./session.ts";
export { Watch, WatchEnded, type Update } from "./watch.ts";
