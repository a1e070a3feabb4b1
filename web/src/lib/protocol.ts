// The types of docs/protocol.md, written by `python -m fuda.protocol.schema`: change them in Python.

export type FromClient =
  | Hello
  | GiveBytes
  | Play
  | Why
  | Choose
  | Start
  | Rematch
  | Leave
  | SetChair
  | Swap
  | Configure
  | StandIn
  | Say
  | React
  | Device
  | Close
  | Ping
  | Pong;

export type FromServer =
  | Welcome
  | Event
  | Here
  | Done
  | Denied
  | Because
  | Choices
  | Link
  | Sealed
  | Bye
  | Ping
  | Pong;

/** The first message: what the client has seen so far, and the invitation if it has no seat. */
export interface Hello {
  kind: "hello";
  id: MessageId;
  /** Left out: 1. */
  protocol?: number;
  /** The game of which it has the history; 0 if it has none. Left out: 0. */
  number?: number;
  /** The last version that it has seen. Left out: 0. */
  version?: number;
  /** How many notes of the history it has. Left out: 0. */
  noted?: number;
  invite?: Code | null;
}

/** Random bytes for the deal of a game that has not begun. */
export interface GiveBytes {
  kind: "luck";
  id: MessageId;
  number: number;
  bytes: RandomBytes;
}

/** An answer to what this seat is asked. */
export interface Play {
  kind: "play";
  id: MessageId;
  /** The question that it answers: `Ask.since`. */
  since: number;
  move: Move;
}

/** Asks why a move is not allowed now. */
export interface Why {
  kind: "why";
  id: MessageId;
  move: Move;
}

/** Asks which words can be added to a move that has these already; it plays nothing. */
export interface Choose {
  kind: "choose";
  id: MessageId;
  /** The question that the move is to answer: `Ask.since`. */
  since: number;
  /** The words chosen so far, in any order. */
  words: Array<Move>;
}

/** Starts the game. */
export interface Start {
  kind: "start";
  id: MessageId;
}

/** Another game with the same people. */
export interface Rematch {
  kind: "rematch";
  id: MessageId;
}

/** Gives up the seat. */
export interface Leave {
  kind: "leave";
  id: MessageId;
}

/** Opens a chair, closes it, or puts a bot there; a person who sat there is removed. */
export interface SetChair {
  kind: "furnish";
  id: MessageId;
  seat: Seat;
  to: Occupancy;
}

/** Swaps two seats before the start. */
export interface Swap {
  kind: "swap";
  id: MessageId;
  seat: Seat;
  other: Seat;
}

/** Changes the settings of the table; what is left out stays as it is. */
export interface Configure {
  kind: "configure";
  id: MessageId;
  public?: boolean | null;
  pace?: Pace | null;
  chat?: boolean | null;
}

/** Asks for a bot to play for somebody who is absent or has not answered for long. */
export interface StandIn {
  kind: "stand in";
  id: MessageId;
  seat: Seat;
}

export interface Say {
  kind: "say";
  id: MessageId;
  text: Said;
}

export interface React {
  kind: "react";
  id: MessageId;
  reaction: Reaction;
}

/** Asks for a code that moves the seat to another device; it can be used once. */
export interface Device {
  kind: "device";
  id: MessageId;
}

/** The host closes the table for good. */
export interface Close {
  kind: "close";
  id: MessageId;
}

/** Asks whether the other side is still connected; it answers with a pong. */
export interface Ping {
  kind: "ping";
}

/** The answer to a ping. */
export interface Pong {
  kind: "pong";
}

/** The whole table as this connection may know it: after hello, and whenever its seat has changed. */
export interface Welcome {
  kind: "welcome";
  version: number;
  table: TableState;
  here: Array<Seat>;
  you?: Seat | null;
  /** With the whole history. */
  game?: GameNews | null;
  /** Left out: []. */
  said?: Array<Line>;
  /** Left out: 1. */
  protocol?: number;
}

/** Everything about a table except its game. */
export interface TableState {
  id: string;
  game: string;
  options: Record<string, unknown>;
  chairs: Array<Chair>;
  phase: Phase;
  /** Which game at this table it is, counted from one. */
  number: number;
  public: boolean;
  pace: Pace;
  chat: boolean;
  fair: Fair;
  /** What others need to join; shown only to those who sit at the table. Left out: "". */
  invite?: string;
  /** Left out: "". */
  why_closed?: string;
  /** The version of the rules of the game before, if it was ended because the server has another. Left out: "". */
  ended?: string;
}

/** A seat at the table, and who sits there. */
export interface Chair {
  seat: Seat;
  kind: "bot" | "closed" | "open" | "person";
  /** Left out: "". */
  name?: string;
  /** The kind of bot that sits there. Left out: "". */
  bot?: string;
  /** Whether a bot plays for the person. Left out: false. */
  played_for?: boolean;
  /** Left out: false. */
  host?: boolean;
}

/** What the shuffles of a game are computed from; the secret is shown when the game is over, or was closed early. */
export interface Fair {
  number: number;
  commitment: string;
  /** Left out: {}. */
  bytes?: Record<string, string>;
  /** Left out: "". */
  secret?: string;
}

/** What is new in the game, for one seat or for spectators. */
export interface GameNews {
  number: number;
  /** The position of the first of these notes in the history. */
  first: number;
  notes: Array<Record<string, unknown>>;
  /** How many moves have been made. Left out: 0. */
  turn?: number;
  /** Who is asked now; several if they are asked at the same time. Left out: []. */
  asked?: Array<Seat>;
  /** How many of them have answered already; the answers are still hidden. Left out: 0. */
  answered?: number;
  seconds?: number | null;
  /** All that this seat sees now, without the history; left out if later news have it. */
  view?: Record<string, unknown> | null;
  /** For fields of the view that have captions: the facts of each caption, by field. Left out: {}. */
  told?: Record<string, Array<Record<string, unknown>>>;
  ask?: Ask | null;
  /** The chain over the moves so far, as 64 hexadecimal digits; it comes with every view. Left out: "". */
  chain?: string;
}

/** What a seat is asked. The answer names `since`, so that it cannot answer another question by mistake. */
export interface Ask {
  since: number;
  question: Record<string, unknown>;
  /** The legal moves; empty if there are more than a few hundred. */
  moves: Array<string>;
  /** If the moves are left out: the words of which they consist. Left out: []. */
  words?: Array<string>;
  /** The time left to answer; no limit if left out. */
  seconds?: number | null;
  /** Whether it is a reaction: nobody else may learn whether the seat had a choice. Left out: false. */
  reaction?: boolean;
}

/** A chat message. */
export interface Line {
  seat: Seat;
  name: string;
  /** Left out: "". */
  text?: string;
  reaction?: Reaction | null;
}

/** Something happened at the table; it is in the log. */
export interface Event {
  kind: "event";
  version: number;
  what: What;
  seat?: Seat | null;
  /** Who made the move. */
  by?: "bot" | "clock" | "person" | null;
  table?: TableState | null;
  game?: GameNews | null;
  line?: Line | null;
}

/** Who is connected now. */
export interface Here {
  kind: "here";
  seats: Array<Seat>;
  /** Left out: 0. */
  watching?: number;
  /** Who may act as host: the host, unless disconnected for a while. */
  host?: Seat | null;
  /** The people who have been disconnected for so long that a bot may be asked to play for them. Left out: []. */
  gone?: Array<Seat>;
}

/** The message was carried out, and its effect is in the log at this version or before it. */
export interface Done {
  kind: "done";
  id: string;
  version: number;
}

/** The message was not carried out, and nothing has changed. */
export interface Denied {
  kind: "denied";
  id: string;
  code: string;
  text: string;
  /** The id of the rule that forbids the move, if one does. Left out: "". */
  rule?: string;
  /** Left out: {}. */
  facts?: Record<string, unknown>;
}

/** Why a move is not allowed; without a rule, it is allowed. */
export interface Because {
  kind: "because";
  id: string;
  move: string;
  /** Left out: "". */
  rule?: string;
  /** Left out: "". */
  text?: string;
  /** Left out: {}. */
  facts?: Record<string, unknown>;
}

/** Which words can be added to a move, and whether it is complete already. */
export interface Choices {
  kind: "choices";
  id: string;
  /** Each leads, together with those chosen and perhaps others, to a legal move. */
  words: Array<string>;
  /** Whether the chosen words are a legal move. */
  enough: boolean;
}

/** The code that moves the seat to another device; it can be used once. */
export interface Link {
  kind: "link";
  id: string;
  code: string;
  seconds: number;
}

/** The answer was accepted; it counts when the reaction ends, and nobody else is told before. */
export interface Sealed {
  kind: "sealed";
  since: number;
}

/** The connection ends; `again` says whether to connect again. */
export interface Bye {
  kind: "bye";
  code: string;
  text: string;
  again: boolean;
}

/** Opens a new table; the sender is its host. */
export interface Open {
  game: string;
  name: Name;
  /** One for each seat: me, open, closed, or the kind of a bot; if left out, me and the others open. */
  chairs?: Array<Occupancy> | null;
  players?: number | null;
  /** Left out: {}. */
  options?: Record<string, boolean | number | string>;
  /** Left out: false. */
  public?: boolean;
  /** Left out: "normal". */
  pace?: Pace;
  /** Left out: true. */
  chat?: boolean;
  /** Whether the game starts as soon as the host is connected. Left out: false. */
  start?: boolean;
}

/** Takes a seat; any open one if none is named. */
export interface Join {
  name: Name;
  seat?: Seat | null;
  invite?: Code | null;
  id?: RequestId | null;
}

/** Moves the player's own seat to this device. */
export interface Claim {
  code: Code;
  id?: RequestId | null;
}

/** A seat was taken; the token that proves it comes as a cookie. */
export interface Taken {
  table: string;
  seat: Seat;
  invite: string;
}

export interface Tables {
  tables: Array<Listed>;
}

/** A public table in the list of tables. */
export interface Listed {
  id: string;
  game: string;
  phase: Phase;
  host: string;
  people: number;
  open: number;
  players: number;
  pace: Pace;
}

/** Why a request was not carried out. */
export interface Failed {
  code: string;
  text: string;
}

/** Some frames of a finished game. */
export interface Replay {
  /** How many moves the whole game has; there is one frame more. */
  moves: number;
  /** Who sat where at the end of the game. */
  names: Record<string, string>;
  /** The turn of the first of these frames. */
  from: number;
  frames: Array<ReplayFrame>;
  /** The version of the rules of the game, if the server has another: then it is shown only with open hands. Left out: "". */
  rules?: string;
  /** Whether only the moves are known, so that the views show nothing of the table. Left out: false. */
  bare?: boolean;
}

/** The game after a move; the first frame is the deal. */
export interface ReplayFrame {
  /** How many moves had been made. */
  turn: number;
  /** What happened in this move. */
  notes: Array<Record<string, unknown>>;
  /** All that could be seen at that moment, without the history. */
  view: Record<string, unknown>;
  /** Who made the move. */
  seat?: Seat | null;
  /** The move, if it may be known from this viewpoint. Left out: "". */
  move?: string;
  /** As in `GameNews`. Left out: {}. */
  told?: Record<string, Array<Record<string, unknown>>>;
}

/** One game in one language. */
export interface Book {
  id: string;
  language: Language;
  name: string;
  version: string;
  about: string;
  minutes: string;
  players: [number, number];
  options: Array<OptionText>;
  /** By the first word of a card's id. */
  suits: Record<string, Suit>;
  cards: Array<Card>;
  /** All other words in moves, notes and questions; a word that is missing is shown as it is. */
  terms: Record<string, string>;
  /** What is asked, by the kind of the question. */
  questions: Record<string, string>;
  /** What happened, by the kind of the note. */
  notes: Record<string, string>;
  /** The kinds of notes that have a role, with it. */
  note_roles: Record<string, NoteRole>;
  /** Captions of fields; a field without one is shown as it is. */
  captions: Record<string, string>;
  /** Why a move is refused, by the id of the rule. */
  refusals: Record<string, string>;
  fields: Array<FieldText>;
  /** Hints for a player's first turns. */
  guide: Array<string>;
  /** The rules. */
  page: Array<Block>;
}

/** An option of the game: yes or no, one of some values, or a number. */
export interface OptionText {
  name: string;
  label: string;
  text: string;
  /** Left out: the number of players. */
  default?: number | string | boolean | null;
  /** Left out: 0. */
  low?: number;
  /** Left out: 0. */
  high?: number;
  /** Left out: {}. */
  values?: Record<string, string>;
}

/** The name and look of a suit. */
export interface Suit {
  name: string;
  symbol: string;
  colour: string;
}

/** A card, and what is printed on it. */
export interface Card {
  /** Its name in views and moves. */
  id: string;
  name: string;
  /** Left out: "". */
  suit?: string;
  /** Its name without the suit. Left out: "". */
  rank?: string;
  /** Left out: "". */
  text?: string;
  /** The texts that it has instead with an option, by the option and its value: `scored false`. Left out: {}. */
  variants?: Record<string, string>;
  /** A family-friendly name, if the usual one is rude. Left out: "". */
  mild?: string;
}

/** A part of a view: what it is called, and what it is to the players. */
export interface FieldText {
  name: string;
  label: string;
  kind: FieldKind;
  /** The option that sets its highest value: `rounds` that of the round. Left out: "". */
  limit?: string;
}

/** A block of a rules page. Texts may have `code`, *emphasis* and **strong** words. */
export interface Block {
  kind: "heading" | "list" | "rule" | "table" | "text" | "title";
  /** Left out: "". */
  text?: string;
  /** The id of a rule. Left out: "". */
  id?: string;
  /** Left out: "". */
  title?: string;
  /** Left out: []. */
  rows?: Array<Array<string>>;
  /** Left out: []. */
  items?: Array<string>;
}

export type Seat = "A" | "B" | "C" | "D" | "E" | "F" | "G" | "H";

export type Pace = "none" | "normal" | "quick" | "relaxed";

export type Phase = "closed" | "open" | "over" | "playing" | "starting";

export type Reaction = "good luck" | "haha" | "hello" | "hurry up" | "oops" | "thanks" | "well played" | "wow";

/** Chosen by the client, new for every message. */
export type MessageId = string;

/** Random and secret, so that the request may be sent again. */
export type RequestId = string;

/** 1 to 24 visible characters. */
export type Name = string;

export type Move = string;

/** 1 to 200 visible characters. */
export type Said = string;

export type Code = string;

/** 16 random bytes, as 32 hexadecimal digits. */
export type RandomBytes = string;

/** me, open, closed, or the kind of a bot. */
export type Occupancy = string;

export type What = "answered" | "closed" | "configured" | "device" | "furnished" | "left" | "luck" | "opened" | "played" | "played for" | "reopened" | "returned" | "said" | "sat" | "started" | "starting" | "swapped";

export type Language = "de" | "en" | "ja";

export type FieldKind = "aside" | "cards" | "count" | "detail" | "fact" | "hand" | "leader" | "mark" | "memory" | "pile" | "round" | "row" | "score" | "stock" | "trick" | "turn";

export type NoteRole = "event" | "played" | "scored" | "trick ended";
