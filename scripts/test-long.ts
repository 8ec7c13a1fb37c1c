/**
 * `npm run test:long [-- <words>]`: the tests of the packages, with more kills and random worlds, with
 * all of them over both databases, and with those that install the product from scratch; then the
 * browser tests that `npm test` leaves out.
 */
import { runStages, testStages } from './stages.ts'

const words = process.argv.slice(2)
await runStages(await testStages({ words, long: true }), words)
