import { hasInterpreter, USER_DATA_MAX, userDataFormat, userDataRemarks } from '@steading/api/rules'
import { useEffect, useState } from 'react'
import { loadPart } from '../../../ui/lazy-part.ts'
import type { Place, Remark } from './cloud-config.ts'

const PAUSE_MS = 300

export const bytesOf = (text: string): number => new TextEncoder().encode(text).length

/**
 * A probable mistake in user data: an unknown format, a script without an interpreter, or a
 * cloud-config that is not YAML. Undefined for anything that only the guest can check.
 * @throws if the YAML parser cannot be loaded
 */
export async function userDataRemark(text: string): Promise<Remark | undefined> {
  // The limit has its own error, and the time to parse has no other bound.
  if (text === '' || bytesOf(text) > USER_DATA_MAX) return undefined
  switch (userDataFormat(text)) {
    case 'unknown':
      return { message: userDataRemarks.unknown }
    case 'script':
      return hasInterpreter(text)
        ? undefined
        : { message: userDataRemarks.noInterpreter, at: { line: 1, column: 3 } }
    case 'cloudConfig': {
      const { cloudConfigRemark } = await loadPart(() => import('./cloud-config.ts'))
      return cloudConfigRemark(text)
    }
    case 'other':
      return undefined
  }
}

/**
 * The offset of a position, for the selection of a text area.
 * @param text may have changed since it was checked; the nearest offset is returned then
 */
export function offsetOf(text: string, { line, column }: Place): number {
  let start = 0
  for (let passed = 1; passed < line; passed++) {
    const end = text.indexOf('\n', start)
    if (end < 0) return text.length
    start = end + 1
  }
  const end = text.indexOf('\n', start)
  return Math.min(start + column - 1, end < 0 ? text.length : end)
}

/** The remark about a text, after a short pause of typing. The previous one stays until then. */
export function useUserDataRemark(text: string): Remark | undefined {
  const [remark, setRemark] = useState<Remark>()
  useEffect(() => {
    let isCurrent = true
    const timer = setTimeout(() => {
      userDataRemark(text).then(
        (next) => isCurrent && setRemark(next),
        // Without the parser, the text goes unchecked.
        () => isCurrent && setRemark(undefined),
      )
    }, PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text])
  return text ? remark : undefined
}
