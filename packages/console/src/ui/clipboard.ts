/**
 * The clipboard. Browsers give pages without TLS no Clipboard API, but let them copy a selection
 * while they handle a key or a click.
 */
import { useEffect, useState } from 'react'
import { loadPart, whenDrawnAndIdle } from './lazy-part.ts'

/** Milliseconds for which a button says that it has copied. */
const SAID_MS = 2_000

const clipboard = (): Clipboard | undefined => navigator.clipboard

const loadSelection = () => loadPart(() => import('./copy-selection.ts'))
let selection: Awaited<ReturnType<typeof loadSelection>> | undefined

/** Loads what replaces the Clipboard API, as a click does not wait for code. */
export async function prepareClipboard(): Promise<void> {
  if (clipboard()) return
  await whenDrawnAndIdle()
  selection = await loadSelection().catch(() => undefined)
}

/**
 * Copies a text. If the browser does not allow that, the user is shown the text to copy.
 * @param quiet the user has not asked for it, and is shown nothing
 * @returns whether the text is on the clipboard
 */
export async function copyText(text: string, { quiet = false } = {}): Promise<boolean> {
  const written = clipboard()
    ?.writeText(text)
    .then(
      () => true,
      () => false,
    )
  if (written && (await written)) return true
  const { copySelected, letCopy } = (selection ??= await loadSelection())
  const done = copySelected(text)
  if (!done && !quiet) letCopy(text)
  return done
}

/** The text on the clipboard. @throws Error if the page may not read it */
export const readClipboard = async (): Promise<string> => clipboard()!.readText()

/**
 * For a button that copies a text.
 * @returns whether it has just done so, and the action
 */
export function useCopy(text: string): [copied: boolean, copy: () => void] {
  const [copied, setCopied] = useState<{ text: string }>()
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(undefined), SAID_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    if (await copyText(text)) setCopied({ text })
  }
  return [copied?.text === text, () => void copy()]
}
