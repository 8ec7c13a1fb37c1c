import { hash, randomInt } from 'node:crypto'

/** Of the random choices of a test file: printed, and given by `STEADING_SEED` to repeat them. */
const seed = Number(process.env.STEADING_SEED ?? randomInt(2 ** 32))
console.log(`STEADING_SEED=${seed}`)

let count = 0

/** A number from 0 to 1, the next of those that belong to the seed. */
export const random = (): number =>
  Number.parseInt(hash('sha256', `${seed} ${count++}`).slice(0, 8), 16) / 2 ** 32
