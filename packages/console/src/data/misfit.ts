/**
 * Finds answers that are not what the contract says. Control planes that are not ours may send some,
 * and a page made of one fails. Checking all answers would cost each page, so this is loaded, with the
 * schemas, only when a page has failed.
 */
import { type Operation, operationTable } from '@steading/api'
import { toWire } from '@steading/api/client'
import type { Answer } from './answers.ts'
import { ApiError } from './errors.ts'

const NOT_UNDERSTOOD = 'The server has answered with something that the console does not understand'

/** Most problems that are told. */
const MAX_PROBLEMS = 20

const table = operationTable as Record<string, Operation>
const idOf = (method: string) => method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `items[0].name` */
const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')

/** Problems of an answer, a line for each; undefined if it is as the contract says. */
function problemsOf({ operation, data }: Answer): string | undefined {
  const { method, path, success } = table[idOf(operation)]!
  const result = success.schema?.safeParse(toWire(data))
  if (!result || result.success) return undefined
  const lines = result.error.issues
    .slice(0, MAX_PROBLEMS)
    .map((issue) => `${placeOf(issue.path) || 'the answer'}: ${issue.message.replace('\0', '')}`)
  return [`${method} ${path}`, ...lines].join('\n')
}

/**
 * The newest of some answers that are not what the contract says.
 * @param answers the newest first
 * @returns the error to show; its details have all that is wrong
 */
export function misfitAmong(answers: readonly Answer[]): ApiError | undefined {
  const misfits = answers.flatMap((answer) => {
    const problems = problemsOf(answer)
    return problems === undefined ? [] : [{ ...answer, problems }]
  })
  const [{ operation, requestId } = {}] = misfits
  if (operation === undefined) return undefined
  const details = [...new Set(misfits.map(({ problems }) => problems))].join('\n\n')
  return new ApiError(operation, NOT_UNDERSTOOD, 200, undefined, requestId, undefined, details)
}
