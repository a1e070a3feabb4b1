// The types of docs/protocol.md, written by `python -m fuda.protocol.schema`: change them in Python.

export type FromClient =
  | Hello
  | Luck
  | Play
  | Why
  | Start
  | Rematch
  | Leave
  | Furnish
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
  | Link
  | Bye
  | Ping
  | Pong;

/** The first message: how far the client has come, and the invitation where nobody knows it yet. */
export interface Hello {
  kind: "hello";
  id: MessageId;
  /** Left out: 1. */
  protocol?: number;
  /** The game of which it knows the history; 0 if of none. Left out: 0. */
  number?: number;
  /** The last version that it has seen. Left out: 0. */
  version?: number;
  /** How many notes of the history it has. Left out: 0. */
  noted?: number;
  invite?: Code | null;
}

/** Random bytes for the luck of a game that has not begun. */
export interface Luck {
  kind: "luck";
  id: MessageId;
  number: number;
  bytes: LuckyBytes;
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

/** Begins the game. */
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

/** Opens a chair, closes it, or seats a bot there; whoever sat there has to go. */
export interface Furnish {
  kind: "furnish";
  id: MessageId;
  seat: Seat;
  to: ChairWish;
}

/** Two seats change places before the start. */
export interface Swap {
  kind: "swap";
  id: MessageId;
  seat: Seat;
  other: Seat;
}

/** Changes what the host has decided; what is left out stays. */
export interface Configure {
  kind: "configure";
  id: MessageId;
  public?: boolean | null;
  pace?: Pace | null;
  chat?: boolean | null;
}

/** Asks that a bot plays for somebody who is gone or has not answered for long. */
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

/** Asks for a code that moves the seat to another device, once. */
export interface Device {
  kind: "device";
  id: MessageId;
}

/** The host closes the table for good. */
export interface Close {
  kind: "close";
  id: MessageId;
}

/** Are you there? Either side may ask; the other answers with a pong. */
export interface Ping {
  kind: "ping";
}

/** I am. */
export interface Pong {
  kind: "pong";
}

/** The whole table as this connection may know it: after hello, and whenever its place at the table has changed. */
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

/** All that is to be known of a table besides its game. */
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
  /** What others need to join; told to those who sit at the table. Left out: "". */
  invite?: string;
  /** Left out: "". */
  why_closed?: string;
}

/** A seat at the table, and who or what sits there. */
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

/** What the luck of a game comes from: the secret is shown when the game is over. */
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
  /** The place in the history of the first of these notes. */
  first: number;
  notes: Array<Record<string, unknown>>;
  /** How many moves have been made. Left out: 0. */
  turn?: number;
  /** Who is asked now; several if they are asked at the same time. Left out: []. */
  asked?: Array<Seat>;
  /** How many of those have answered already, where nobody may know what. Left out: 0. */
  answered?: number;
  seconds?: number | null;
  /** All that this seat sees now, without the history; left out where later news have it. */
  view?: Record<string, unknown> | null;
  ask?: Ask | null;
}

/** What a seat is asked. Its answer names `since`, so that it cannot answer another question by mistake. */
export interface Ask {
  since: number;
  question: Record<string, unknown>;
  /** The legal moves; empty if there are more than a few hundred. */
  moves: Array<string>;
  /** Where moves are left out: the words of which they consist. Left out: []. */
  words?: Array<string>;
  /** How long until somebody else answers; left out: as long as it takes. */
  seconds?: number | null;
  /** Whether it is asked for a reaction; then nobody must be able to tell whether there was a choice. Left out: false. */
  reaction?: boolean;
}

/** Something said at the table. */
export interface Line {
  seat: Seat;
  name: string;
  /** Left out: "". */
  text?: string;
  reaction?: Reaction | null;
}

/** Something happened at the table, and stays so. */
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
}

/** The message was carried out, and is kept for good; the version is at least the one it led to. */
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
  /** The id of the rule that forbids the move, where one does. Left out: "". */
  rule?: string;
  /** Left out: {}. */
  facts?: Record<string, unknown>;
}

/** Why a move is not allowed; without a rule: it is. */
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

/** The code that moves the seat to another device, once. */
export interface Link {
  kind: "link";
  id: string;
  code: string;
  seconds: number;
}

/** The connection ends; `again` says whether it makes sense to come back. */
export interface Bye {
  kind: "bye";
  code: string;
  text: string;
  again: boolean;
}

/** A new table; whoever opens it is its host. */
export interface Open {
  game: string;
  name: Name;
  /** One for each seat: me, open, closed, or the kind of a bot; me alone and the others open, if left out. */
  chairs?: Array<ChairWish> | null;
  players?: number | null;
  /** Left out: {}. */
  options?: Record<string, boolean | number | string>;
  /** Left out: false. */
  public?: boolean;
  /** Left out: "normal". */
  pace?: Pace;
  /** Left out: true. */
  chat?: boolean;
  /** Whether the game begins as soon as the host is connected. Left out: false. */
  start?: boolean;
}

/** Takes a seat; any that is open, if none is named. */
export interface Join {
  name: Name;
  seat?: Seat | null;
  invite?: Code | null;
  id?: RequestId | null;
}

/** Takes over one's own seat on this device. */
export interface Claim {
  code: Code;
  id?: RequestId | null;
}

/** A seat was taken; what proves it comes as a cookie. */
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
export type LuckyBytes = string;

/** me, open, closed, or the kind of a bot. */
export type ChairWish = string;

export type What = "answered" | "closed" | "configured" | "device" | "furnished" | "left" | "luck" | "opened" | "played" | "played for" | "reopened" | "returned" | "said" | "sat" | "started" | "starting" | "swapped";
