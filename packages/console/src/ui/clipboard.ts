/**
 * The clipboard. Browsers give pages without TLS no Clipboard API, but let them copy a selection
 * while they handle a key or a click.
 */
import { useEffect, useState } from 'react'
import { loadPart } from './lazy-part.ts'
import { focusable, textArea } from './text-to-copy.ts'

/** Milliseconds for which a button says that it has copied. */
const SAID_MS = 2_000

/** Copies by a selection that nobody sees. @returns whether the browser did it */
function copySelected(text: string): boolean {
  const focused = document.activeElement
  const area = textArea(text)
  area.className = 'fixed start-0 top-0 size-px opacity-0'
  const place = focused?.closest('[role=menu]') ?? focusable()
  place.append(area)
  area.select()
  let done = false
  try {
    done = document.execCommand('copy')
  } catch {
    // Not supported.
  }
  // First, so that no dialog or menu sees its focus disappear.
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
  area.remove()
  return done
}

/**
 * Copies a text. If the browser does not allow that, the user is shown the text to copy.
 * @param quiet the user has not asked for it, and is shown nothing
 * @returns whether the text is on the clipboard
 */
export async function copyText(text: string, { quiet = false } = {}): Promise<boolean> {
  const { clipboard } = navigator as { clipboard?: Clipboard }
  const done = clipboard
    ? await clipboard.writeText(text).then(
        () => true,
        () => copySelected(text),
      )
    : copySelected(text)
  if (!done && !quiet) {
    const { letCopy } = await loadPart(() => import('./copy-by-hand.ts'))
    letCopy(text)
  }
  return done
}

/** The text on the clipboard. @throws Error if the page may not read it */
export async function readClipboard(): Promise<string> {
  const { clipboard } = navigator as { clipboard?: Clipboard }
  if (!clipboard) throw new Error('pages without TLS cannot read the clipboard')
  return clipboard.readText()
}

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
