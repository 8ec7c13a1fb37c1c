import { signInFor } from '../data/api.ts'
import { saveFile } from '../ui/save-file.ts'
import { errorToast } from '../ui/toasts.tsx'

/**
 * Downloads a file of the API, for operations whose answer is no JSON. A user whose session has
 * ended signs in first. A failure is shown as a toast.
 * @param path with its query
 * @param failure title of the toast
 */
export async function download(
  path: string,
  name: string,
  failure = `Could not download ${name}`,
): Promise<void> {
  try {
    const response = await fetch(path)
    if (response.status === 401 && (await signInFor(true))) return download(path, name, failure)
    if (!response.ok) throw new Error(`The control plane answered ${response.status}.`)
    const contents = await response.blob()
    saveFile(name, [contents], contents.type)
  } catch (error) {
    const isCutOff = error instanceof TypeError
    errorToast(failure, isCutOff ? 'The connection was lost.' : (error as Error).message)
  }
}
