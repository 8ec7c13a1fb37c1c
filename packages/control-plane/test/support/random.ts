import { hash, randomInt } from 'node:crypto'

/** The seed of all random choices: printed, and set by `STEADING_SEED` to repeat them. */
const seed = Number(process.env.STEADING_SEED ?? randomInt(2 ** 32))
console.log(`STEADING_SEED=${seed}`)

let count = 0

/** The next random number of the seed, from 0 to 1. */
export const random = (): number =>
  Number.parseInt(hash('sha256', `${seed} ${count++}`).slice(0, 8), 16) / 2 ** 32
