/**
 * The serial console stream at `/x/v1`: bytes in binary frames as at `/v1`, plus text frames that
 * carry the position in the output and acknowledgements.
 */

/** A position in the output of a machine. */
export interface ConsolePlace {
  /** Boot ID; offsets start over with each boot. */
  boot: string
  /** Bytes since boot. */
  offset: number
}

/** Maximum number of unacknowledged bytes in flight to a viewer. */
export const CONSOLE_WINDOW = 256 * 1024

/**
 * Reasons for closing a serial console or a screen whose machine keeps running; at most 123 bytes
 * each.
 */
export const consoleEndings = {
  signedOut: 'the session has ended',
  forbidden: 'you no longer have access to this instance',
  unavailable: 'the session cannot be verified at the moment',
} as const

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Frame with the position of the next byte: sent first, and after a gap in the output. */
export const positionFrame = ({ boot, offset }: ConsolePlace): string =>
  JSON.stringify({ boot, offset })

/** @returns undefined for any other text */
export function parsePosition(text: string): ConsolePlace | undefined {
  const { boot, offset } = parse(text)
  return typeof boot === 'string' && isCount(offset) ? { boot, offset } : undefined
}

/** Frame by which a viewer acknowledges bytes: the number it has processed on this connection. */
export const takenFrame = (taken: number): string => JSON.stringify({ taken })

/** @returns undefined for any other text */
export function parseTaken(text: string): number | undefined {
  const { taken } = parse(text)
  return isCount(taken) ? taken : undefined
}
