import type { AggregateBgpMessageHistory } from '@steading/api/client'

export type HistoryRow = {
  id: string
  /** Undefined if the engine does not report it. */
  time: Date | undefined
  direction: string
  peer: string
  message: string
  details: string
}

/** The contract leaves the shape of messages to the engine; unknown messages are shown as JSON. */
type Logged = { timestamp?: Date; message?: unknown }
type Logs = { sent?: Logged[]; received?: Logged[] }

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** A message is its type as a string, or an object with the type as its only key. */
function typeOf(message: unknown): [type: string, content: Record<string, unknown>] {
  if (!isObject(message)) return [String(message), {}]
  const [[type, content] = ['unknown', message]] = Object.entries(message)
  return [type, isObject(content) ? content : {}]
}

const told = (value: unknown): string =>
  Array.isArray(value)
    ? value.map(told).join(', ')
    : isObject(value)
      ? JSON.stringify(value)
      : String(value)

const detailsOf = (content: Record<string, unknown>): string =>
  Object.entries(content)
    .filter(([, value]) => value !== null && !(Array.isArray(value) && value.length === 0))
    .map(
      ([key, value]) =>
        `${key.replaceAll(/([A-Z])|_/g, (_, big = '') => ` ${big.toLowerCase()}`)} ${told(value)}`,
    )
    .join(' · ')

/** The messages of all sessions, the newest first. */
export const historyRows = ({ switchHistories }: AggregateBgpMessageHistory): HistoryRow[] =>
  switchHistories
    .flatMap(({ switch: slot, history }) =>
      Object.entries(history).flatMap(([peer, logs]) =>
        (['sent', 'received'] as const).flatMap((direction) =>
          ((logs as Logs)[direction] ?? []).map(({ timestamp, message }, index) => {
            const [type, content] = typeOf(message)
            return {
              id: `${slot} ${peer} ${direction} ${index} ${Number(timestamp)}`,
              time: timestamp,
              direction,
              peer,
              message: type,
              details: detailsOf(content),
            }
          }),
        ),
      ),
    )
    .toSorted((a, b) => Number(b.time ?? 0) - Number(a.time ?? 0))
