import { isReached, missed } from '../data/connection.ts'
import { noAnswer } from '../data/errors.ts'

const RELOADED = 'reloaded-for-code'

/**
 * Loads a file of the program that a page needs. A file that is not there although the server is
 * belongs to an older version of the console: then the page is loaded again, once.
 * @throws ApiError if there is no connection
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    if (!(await isReached())) {
      void missed()
      throw noAnswer('ping', true, cause)
    }
    const { message } = cause as Error
    if (sessionStorage.getItem(RELOADED) === message) throw cause
    sessionStorage.setItem(RELOADED, message)
    location.reload()
    return new Promise(() => {})
  }
}
