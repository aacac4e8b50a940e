/** Cards by number: 4 * rank + suit for 3 to 2 and spade, heart, diamond, club; the jokers are 52 and 53. */

const PACK = 54;
const FIRST_JOKER = 52;
const JOKER_RANK = 13;

const RANKS = ["3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A", "2"];
const SUITS = "SHDC";

/** The rank's number: 0 to 12 for 3 to 2, and 13 for a joker. */
export function rankOf(card: number): number {
  const inPack = card % PACK;
  return inPack >= FIRST_JOKER ? JOKER_RANK : Math.floor(inPack / 4);
}

/** The card as players write it, such as "S8" or "JK". */
export function cardText(card: number): string {
  const rank = rankOf(card);
  return rank === JOKER_RANK ? "JK" : `${SUITS[(card % PACK) % 4]}${RANKS[rank]}`;
}

/** Cards in the order in which a view lists a hand: by strength, then by number; jokers are last either way. */
export function weakestFirst(cards: readonly number[], reversed: boolean): number[] {
  const strength = (card: number) => {
    const rank = rankOf(card);
    return reversed && rank !== JOKER_RANK ? -rank : rank;
  };
  return [...cards].sort((a, b) => strength(a) - strength(b) || a - b);
}
