import { signInFor } from '../../data/api.ts'
import { saveFile } from '../../ui/save-file.ts'
import { errorToast } from '../../ui/toasts.tsx'

/** Saves what is downloaded from a path as a file. */
export async function saveFrom(path: string, name: string): Promise<void> {
  try {
    const response = await fetch(path)
    if (response.status === 401 && (await signInFor(true))) return saveFrom(path, name)
    if (!response.ok) throw new Error(`The control plane answered ${response.status}.`)
    const contents = await response.blob()
    saveFile(name, [contents], contents.type)
  } catch (error) {
    const cutOff = error instanceof TypeError
    errorToast(
      `Could not download ${name}`,
      cutOff ? 'The connection was lost.' : (error as Error).message,
    )
  }
}
