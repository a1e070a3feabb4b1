// A game of tricks for boardgame.io, as long as a game of Schadenfreude: three rounds of twelve cards each for four.
const { PlayerView, INVALID_MOVE, TurnOrder } = require("boardgame.io/core");

const PLAYERS = 4;
const SUITS = 4;
const RANKS = 12;
const ROUNDS = 3;

const suitOf = (card) => Math.floor(card / RANKS);

/** The cards of this hand that may be played. */
function legal(hand, trick) {
  const following = trick.length > 0 ? hand.filter((card) => suitOf(card) === suitOf(trick[0])) : [];
  return following.length > 0 ? following : hand;
}

function deal(G, random) {
  const cards = random.Shuffle([...Array(SUITS * RANKS).keys()]);
  for (let player = 0; player < PLAYERS; player++) {
    G.players[player] = { hand: cards.slice(player * RANKS, (player + 1) * RANKS) };
  }
}

function endTrick(G, random) {
  const led = suitOf(G.trick[0]);
  const best = Math.max(...G.trick.filter((card) => suitOf(card) === led));
  G.leader = (G.leader + G.trick.indexOf(best)) % PLAYERS;
  G.tricks[G.leader].push(G.trick);
  G.trick = [];
  if (G.players[0].hand.length === 0) {
    G.rounds += 1;
    G.tricks = G.tricks.map(() => []);
    if (G.rounds < ROUNDS) deal(G, random);
  }
}

const game = {
  name: "tricks",
  minPlayers: PLAYERS,
  maxPlayers: PLAYERS,
  setup: ({ random }) => {
    const G = { players: {}, trick: [], tricks: [[], [], [], []], leader: 0, rounds: 0 };
    deal(G, random);
    return G;
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: {
    minMoves: 1,
    maxMoves: 1,
    order: { ...TurnOrder.DEFAULT, next: ({ G }) => (G.leader + G.trick.length) % PLAYERS },
  },
  moves: {
    play: {
      client: false,
      move: ({ G, playerID, random }, card) => {
        const { hand } = G.players[playerID];
        if (!legal(hand, G.trick).includes(card)) return INVALID_MOVE;
        G.players[playerID].hand = hand.filter((other) => other !== card);
        G.trick.push(card);
        if (G.trick.length === PLAYERS) endTrick(G, random);
      },
    },
  },
  endIf: ({ G }) => (G.rounds === ROUNDS ? { rounds: ROUNDS } : undefined),
};

module.exports = { game, legal, PLAYERS };
