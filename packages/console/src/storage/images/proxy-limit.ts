/** Limits of proxies on the size of a request, which are known only once a proxy has refused one. */
import { formatSize } from '../../ui/number.ts'

export class ProxyLimitError extends Error {}

/** Size in bytes of the smallest body that a proxy has refused in this tab. */
let smallest = Infinity

/** Remembers that a proxy has refused a body of a size. @returns the error for the user */
export function refusedSize(bytes: number): ProxyLimitError {
  smallest = Math.min(smallest, bytes)
  return new ProxyLimitError(
    `A proxy in front of the console refuses requests of ${formatSize(bytes)}. Raise the proxy’s limit (nginx: client_max_body_size).`,
  )
}

/** Whether a proxy would refuse a body of a size. */
export const isRefusedSize = (bytes: number): boolean => bytes >= smallest
