/** Validates answers against the contract's large schemas, outside of the page's thread. */
import { type Operation, operationTable } from '@steading/api'
import { toWire } from '@steading/api/client'
import type { Answer } from './answers.ts'
import type { Misfit } from './misfits.ts'

/** Maximum number of reported problems per answer. */
const MAX_PROBLEMS = 20

const table = operationTable as Record<string, Operation>
const idOf = (method: string) => method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** `items[0].name` */
const placeOf = (path: readonly PropertyKey[]): string =>
  path
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`))
    .join('')
    .replace(/^\./, '')

/** @returns nothing if the answer matches the contract */
function misfitOf({ operation, requestId, data }: Answer): Misfit | [] {
  const { method, path, success } = table[idOf(operation)]!
  const result = success.schema?.safeParse(toWire(data))
  if (!result || result.success) return []
  const lines = result.error.issues
    .slice(0, MAX_PROBLEMS)
    .map((issue) => `${placeOf(issue.path) || 'the answer'}: ${issue.message.replace('\0', '')}`)
  return { operation, requestId, problems: [`${method} ${path}`, ...lines].join('\n') }
}

addEventListener('message', ({ data: answers }: MessageEvent<Answer[]>) => {
  postMessage(answers.flatMap(misfitOf))
})
