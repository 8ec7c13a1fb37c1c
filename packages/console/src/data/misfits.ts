/**
 * Finds answers that violate the contract, as other control planes may send. Checking all
 * answers would slow down every page, so only samples and the answers of failed pages are
 * checked.
 */
import type { MethodName } from '@steading/api/client'
import type { Answer } from './answers.ts'

/** An answer that violates the contract. */
export interface Misfit {
  operation: MethodName
  requestId: string | undefined
  /** The call, and a line per problem of its answer. */
  problems: string
}

/**
 * The misfits among some answers, in order. The schemas are loaded and run in a worker.
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

/** The distinct problems of several answers. */
export const problemsOf = (misfits: readonly Misfit[]): string =>
  [...new Set(misfits.map(({ problems }) => problems))].join('\n\n')
