// boardgame.io's server as it comes: `node server.js [FOLDER]` prints its address.
// Matches are in memory, as is usual there; with a folder they are also in files.
const { Server, FlatFile } = require("boardgame.io/server");
const { game } = require("./game");

const [folder] = process.argv.slice(2);

Server({ games: [game], origins: [/127\.0\.0\.1/], db: folder && new FlatFile({ dir: folder }) })
  .run({ port: 0 })
  .then(({ appServer }) => console.log(`http://127.0.0.1:${appServer.address().port}`));
