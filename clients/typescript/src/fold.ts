/**
 * Folds events into a view, without knowing any rule of the game.
 *
 * Take the View of a snapshot and apply each Event to it: the result is the view that the service would send.
 */

import { clone, create } from "@bufbuild/protobuf";
import { Zone } from "../gen/daifugo/v1/cards_pb.js";
import {
  PlacedPlaySchema,
  SeatKind,
  SeatSchema,
  SeatViewSchema,
  Standing,
  StrengthSchema,
  TableState,
  Title,
  ViewSchema,
  type CardsMoved,
  type Event,
  type SeatView,
  type View,
} from "../gen/daifugo/v1/view_pb.js";
import { weakestFirst } from "./cards.ts";

type Happened = Event["event"];
type Kind = NonNullable<Happened["case"]>;
type Value<K extends Kind> = Extract<Happened, { case: K }>["value"];
type Fold<K extends Kind> = (view: View, e: Value<K>) => void;

/** An event that is newer than this client: only a snapshot can help. */
export class UnknownEvent extends Error {
  override readonly name = "UnknownEvent";
}

/** Return the view after the events; the one given stays as it is. */
export function folded(view: View, events: readonly Event[]): View {
  const after = clone(ViewSchema, view);
  for (const { event } of events) {
    if (event.case === undefined) throw new UnknownEvent();
    (FOLDS[event.case] as Fold<Kind>)(after, event.value);
  }
  return after;
}

/** What each kind of event does. The compiler says which one is missing when the protos have a new one. */
const FOLDS: { [K in Kind]: Fold<K> } = {
  seatChanged: (view, e) => {
    if (!e.seat) return;
    const changed = seat(view, e.seat.index);
    changed.seat = e.seat;
    if (e.conduct) changed.conduct = e.conduct;
  },
  tableChanged: (view, e) => {
    view.state = e.state;
    view.rulesetHash = e.rulesetHash;
    view.practice = e.practice;
    view.dealNumber = e.dealNumber;
    if (e.shuffle) view.shuffle = e.shuffle;
    if (e.state === TableState.OPEN) layAnew(view, e.seats);
    if (e.state === TableState.RUNNING) {
      view.games = e.games;
      for (const each of view.seats) {
        each.total = 0;
        delete each.conduct;
        delete each.bank;
      }
    }
  },
  gamesChanged: (view, e) => {
    view.games = e.games;
  },
  gameStarted: (view, e) => {
    Object.assign(view, { game: e.game, set: e.set, round: e.round, playing: true, clockwise: true });
    Object.assign(view, { hand: [], field: [], discardPile: [], locks: [], notes: [], places: [], laidAwayCount: 0 });
    delete view.owner;
    delete view.starter;
    delete view.turn;
    view.strength = create(StrengthSchema);
    view.seating = e.seating;
    view.previous = e.previous;
    if (e.spadeSeat === undefined) delete view.spadeSeat;
    else view.spadeSeat = e.spadeSeat;
    for (const each of view.seats) {
      Object.assign(each, { handCount: 0, revealed: [], hand: [], standing: Standing.IN, passed: false, rests: 0 });
      delete each.place;
      if (e.bank) each.bank = e.bank;
      if (!e.previous.length) each.title = Title.UNSPECIFIED;
    }
  },
  dealt: (view, e) => {
    view.blindCount = e.blinds;
    view.stockCount = e.stock;
  },
  cardsMoved: (view, e) => {
    take(view, e);
    put(view, e);
  },
  passed: (view, e) => {
    if (e.lockedOut) seat(view, e.seat).passed = true;
  },
  passesCleared: (view) => {
    for (const each of view.seats) each.passed = false;
  },
  fieldFlushed: (view) => {
    view.field = [];
    view.locks = [];
    delete view.owner;
    for (const each of view.seats) Object.assign(each, { passed: false, rests: 0 });
  },
  strengthChanged: (view, e) => {
    view.strength = e.strength ?? create(StrengthSchema);
    setHand(view, view.hand);
    for (const each of view.seats) each.hand = weakestFirst(each.hand, view.strength.reversed);
  },
  lockChanged: (view, e) => {
    view.locks = e.locks;
  },
  directionChanged: (view, e) => {
    view.clockwise = e.clockwise;
  },
  seatingChanged: (view, e) => {
    view.seating = e.seating;
  },
  seatsRest: (view, e) => {
    for (const each of view.seats) each.rests = 0;
    for (const rest of e.rests) seat(view, rest.seat).rests = rest.turns;
  },
  turnChanged: (view, e) => {
    delete view.turn;
    if (e.seat === undefined) return;
    view.turn = e.seat;
    if (e.starter) view.starter = e.seat;
  },
  decisionOpened: (view, e) => {
    if (!e.asked) return;
    view.asked.push(e.asked);
    if (e.asked.seat === view.seat && e.decision) view.decision = e.decision;
  },
  decisionClosed: (view, e) => {
    view.asked = view.asked.filter((asked) => asked.decisionId !== e.decisionId);
    if (view.decision?.id === e.decisionId) delete view.decision;
    if (e.bank) seat(view, e.seat).bank = e.bank;
    if (e.conduct) seat(view, e.seat).conduct = e.conduct;
  },
  finished: (view, e) => {
    Object.assign(seat(view, e.seat), { standing: e.foul ? Standing.FOULED : Standing.FINISHED, place: e.place });
  },
  fell: (view, e) => {
    Object.assign(seat(view, e.seat), { standing: e.defeated ? Standing.DEFEATED : Standing.FALLEN, place: e.place });
  },
  noteChanged: (view, { note }) => {
    if (!note) return;
    const at = view.notes.findIndex((each) => each.name === note.name);
    if (at < 0) view.notes.push(note);
    else view.notes[at] = note;
    view.notes = view.notes.filter((each) => each.values.length > 0);
  },
  gameEnded: (view, e) => {
    view.playing = false;
    delete view.turn;
    view.places = e.results.map((result) => result.seat);
    for (const { seat: index, place, title, total, standing } of e.results) {
      Object.assign(seat(view, index), { place, title, total, standing });
    }
  },
  matchEnded: (view, e) => {
    for (const result of e.results) seat(view, result.seat).total = result.total;
  },
  revealed: (view, e) => {
    if (e.seat === undefined) return;
    const holder = seat(view, e.seat);
    holder.revealed = [...new Set([...holder.revealed, ...e.cards])].sort((a, b) => a - b);
  },
  placeMoved: (view, e) => {
    seat(view, e.seat).place = e.place;
  },
};

/** Take the last match off the table, which may have another number of seats now. */
function layAnew(view: View, seats: number): void {
  const fresh = create(ViewSchema, { tableId: view.tableId, state: view.state, rulesetHash: view.rulesetHash });
  for (let index = 0; index < seats; index++) {
    const known = view.seats[index]?.seat ?? create(SeatSchema, { index, kind: SeatKind.OPEN });
    fresh.seats.push(create(SeatViewSchema, { seat: known }));
  }
  if (view.seat !== undefined) fresh.seat = view.seat;
  if (view.shuffle) fresh.shuffle = view.shuffle;
  for (const key of Object.keys(view)) if (!key.startsWith("$")) delete (view as Record<string, unknown>)[key];
  Object.assign(view, fresh);
}

function take(view: View, e: CardsMoved): void {
  const stays = (card: number) => !e.cards.includes(card);
  switch (e.fromZone) {
    case Zone.HAND: {
      const holder = seat(view, e.fromSeat);
      holder.handCount -= e.count;
      holder.revealed = holder.revealed.filter(stays);
      setHand(view, view.hand.filter(stays));
      holder.hand = holder.hand.filter(stays);
      break;
    }
    case Zone.FIELD: {
      view.field = view.field.filter((placed) => placed.play?.cards.some(stays));
      const top = view.field.at(-1);
      if (top) view.owner = top.seat;
      break;
    }
    case Zone.DISCARD_PILE:
      view.discardPile = view.discardPile.filter(stays);
      break;
    default:
      count(view, e.fromZone, -e.count);
  }
}

function put(view: View, e: CardsMoved): void {
  switch (e.toZone) {
    case Zone.HAND: {
      const receiver = seat(view, e.toSeat);
      receiver.handCount += e.count;
      if (view.handsShown) {
        receiver.hand = weakestFirst([...receiver.hand, ...e.cards], view.strength?.reversed ?? false);
      }
      if (e.toSeat === view.seat) setHand(view, [...view.hand, ...e.cards]);
      break;
    }
    case Zone.FIELD: {
      const owner = seat(view, e.toSeat ?? e.fromSeat).seat?.index ?? 0;
      if (e.toSeat !== undefined) view.field.pop();
      else if (!view.field.length) view.starter = owner;
      view.field.push(create(PlacedPlaySchema, { seat: owner, ...(e.play && { play: e.play }) }));
      view.owner = owner;
      break;
    }
    case Zone.DISCARD_PILE:
      view.discardPile = [...view.discardPile, ...e.cards].sort((a, b) => a - b);
      break;
    default:
      count(view, e.toZone, e.count);
  }
}

function count(view: View, zone: Zone, change: number): void {
  if (zone === Zone.STOCK) view.stockCount += change;
  else if (zone === Zone.BLIND) view.blindCount += change;
  else if (zone === Zone.LAID_AWAY) view.laidAwayCount += change;
}

function setHand(view: View, cards: readonly number[]): void {
  view.hand = weakestFirst(cards, view.strength?.reversed ?? false);
}

function seat(view: View, index: number | undefined): SeatView {
  const found = index === undefined ? undefined : view.seats[index];
  if (!found) throw new RangeError(`there is no seat ${index}`);
  return found;
}
