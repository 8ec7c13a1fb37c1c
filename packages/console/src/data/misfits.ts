/**
 * Finds answers that are not what the contract says, as control planes that are not ours may send
 * them. Checking all answers would cost each page: those of a page that has failed are checked, and
 * samples.
 */
import type { MethodName } from '@steading/api/client'
import type { Answer } from './answers.ts'

/** An answer that is not what the contract says. */
export interface Misfit {
  operation: MethodName
  requestId: string | undefined
  /** The call, and a line for each problem of its answer. */
  problems: string
}

/**
 * The misfits of some answers, in their order. The schemas are loaded and run in a worker.
 * @throws Error if the code cannot be loaded
 */
export function misfitsAmong(answers: readonly Answer[]): Promise<Misfit[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./misfit-worker.ts', import.meta.url), { type: 'module' })
    worker.addEventListener('message', ({ data }) => {
      worker.terminate()
      resolve(data as Misfit[])
    })
    worker.addEventListener('error', () => {
      worker.terminate()
      reject(new Error('Expected the schemas of the contract to be loaded.'))
    })
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- workers have none
    worker.postMessage(answers)
  })
}

/** The problems of several answers, each once. */
export const problemsOf = (misfits: readonly Misfit[]): string =>
  [...new Set(misfits.map(({ problems }) => problems))].join('\n\n')
