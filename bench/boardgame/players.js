// Players at boardgame.io's server: `node players.js ADDRESS MATCHES WARMING SECONDS` prints what they got as JSON,
// and they stay until there is nothing more to read.
//
// They speak its own transport, but without its client, which would carry out every move a second time. The next move
// of a match is made when all four have heard of the last one.
const { io } = require("socket.io-client");
const { game, legal, PLAYERS } = require("./game");

const [address, matches, warming, seconds] = process.argv.slice(2);
const counted = { moves: 0, deliveries: 0 };

class Match {
  constructor(number) {
    this.number = number;
    this.games = 0;
    this.sockets = [];
    this.states = [];
    this.waiting = PLAYERS;
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

  /** The first one asks for the next match, which is made thereby; the others join when it is there. */
  begin() {
    this.games += 1;
    this.waiting = PLAYERS;
    this.ask(0);
  }

  ask(player) {
    this.sockets[player].emit("sync", this.id, String(player), undefined, PLAYERS);
  }

  join(player, matchID, state) {
    if (player === 0) for (let other = 1; other < PLAYERS; other++) this.ask(other);
    this.hear(player, matchID, state);
  }

  hear(player, matchID, state) {
    if (matchID !== this.id) return;
    this.states[player] = state;
    this.waiting -= 1;
    if (state._stateID > 0) counted.deliveries += 1;
    if (this.waiting > 0) return;
    if (state._stateID > 0) counted.moves += 1;
    if (state.ctx.gameover) this.begin();
    else this.move(Number(state.ctx.currentPlayer));
  }

  move(player) {
    this.waiting = PLAYERS;
    const { G, _stateID } = this.states[player];
    const cards = legal(G.players[player].hand, G.trick);
    const card = cards[Math.floor(Math.random() * cards.length)];
    const action = { type: "MAKE_MOVE", payload: { type: "play", args: [card], playerID: String(player) } };
    this.sockets[player].emit("update", action, _stateID, this.id, String(player));
  }
}

const pause = (length) => new Promise((resolve) => setTimeout(resolve, length * 1000));

async function main() {
  const all = [...Array(Number(matches)).keys()].map((number) => new Match(number));
  for (const match of all) await match.sitDown();
  for (const match of all) match.begin();
  await pause(Number(warming));
  const before = { ...counted };
  const begun = performance.now();
  await pause(Number(seconds));
  const took = (performance.now() - begun) / 1000;
  const rate = (what) => (counted[what] - before[what]) / took;
  console.log(JSON.stringify({ moves: rate("moves"), deliveries: rate("deliveries") }));
  process.stdin.on("end", () => process.exit()).resume();
}

main();
