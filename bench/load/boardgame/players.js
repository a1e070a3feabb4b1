// Players at boardgame.io's server: `node players.js ADDRESS MATCHES` reads lines with two numbers of seconds, plays as
// fast as it goes for the sum of them, and prints as JSON what arrived in the second part.
//
// They speak its own transport, but without its client, which would carry out every move a second time. The next move
// of a match is made when all four have heard of the last one.
const { io } = require("socket.io-client");
const { createInterface } = require("readline");
const { game, legal, PLAYERS } = require("./game");

const [address, matches] = process.argv.slice(2);
const counted = { moves: 0, deliveries: 0 };
let isPlaying = false;

class Match {
  constructor(number) {
    this.number = number;
    this.games = 0;
    this.sockets = [];
    this.states = [];
    this.waiting = 0;
  }

  async sitDown() {
    for (let player = 0; player < PLAYERS; player++) {
      const socket = io(`${address}/${game.name}`, { transports: ["websocket"], forceNew: true });
      this.sockets.push(socket);
      socket.on("sync", (matchID, { state }) => this.join(player, matchID, state));
      socket.on("update", (matchID, state) => this.hear(player, matchID, state));
      await new Promise((resolve, reject) => socket.on("connect", resolve).on("connect_error", reject));
    }
  }

  get id() {
    return `${this.number}-${this.games}`;
  }

  goOn() {
    if (!isPlaying || this.waiting > 0) return;
    this.waiting = PLAYERS;
    const [state] = this.states;
    if (state === undefined || state.ctx.gameover) this.begin();
    else this.move(Number(state.ctx.currentPlayer));
  }

  /** The first player's request creates the next match; the others join when it exists. */
  begin() {
    this.games += 1;
    this.ask(0);
  }

  ask(player) {
    this.sockets[player].emit("sync", this.id, String(player), undefined, PLAYERS);
  }

  join(player, matchID, state) {
    if (player === 0) for (let other = 1; other < PLAYERS; other++) this.ask(other);
    this.hear(player, matchID, state);
  }

  move(player) {
    const { G, _stateID } = this.states[player];
    const cards = legal(G.players[player].hand, G.trick);
    const card = cards[Math.floor(Math.random() * cards.length)];
    const action = { type: "MAKE_MOVE", payload: { type: "play", args: [card], playerID: String(player) } };
    this.sockets[player].emit("update", action, _stateID, this.id, String(player));
  }

  hear(player, matchID, state) {
    if (matchID !== this.id) return;
    this.states[player] = state;
    this.waiting -= 1;
    if (state._stateID > 0) counted.deliveries += 1;
    if (this.waiting > 0) return;
    if (state._stateID > 0) counted.moves += 1;
    this.goOn();
  }
}

const pause = (seconds) => new Promise((resolve) => setTimeout(resolve, seconds * 1000));

async function play(all, warming, seconds) {
  isPlaying = true;
  for (const match of all) match.goOn();
  await pause(warming);
  const before = { ...counted };
  const begun = performance.now();
  await pause(seconds);
  const took = (performance.now() - begun) / 1000;
  const rates = { moves: (counted.moves - before.moves) / took, deliveries: (counted.deliveries - before.deliveries) / took };
  isPlaying = false;
  while (all.some((match) => match.waiting > 0)) await pause(0.05);
  return rates;
}

async function main() {
  const all = [...Array(Number(matches)).keys()].map((number) => new Match(number));
  for (const match of all) await match.sitDown();
  for await (const line of createInterface({ input: process.stdin })) {
    const [warming, seconds] = line.split(" ").map(Number);
    console.log(JSON.stringify(await play(all, warming, seconds)));
  }
}

main();
