import { fail } from './errors.ts'

/**
 * Refuses a range of time that ends before it starts. Either end may be open.
 * @throws ApiError 400
 */
export function requireTimeRange(start?: string | null, end?: string | null): void {
  if (start && end && Date.parse(start) > Date.parse(end)) {
    throw fail.invalidRequest('start_time must not be after end_time')
  }
}
