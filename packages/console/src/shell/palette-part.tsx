import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { rowOf } from '../ui/keyboard/rows.ts'
import { lazyPart } from '../ui/lazy-part.ts'
import { useLoadingDialog } from '../ui/dialog.tsx'
import { closeOverlay } from '../page/overlays.ts'

const Palette = lazyPart(() => import('./palette.tsx').then((m) => ({ default: m.Palette })))

/**
 * The open palette. Text typed before its code is loaded is kept, and does not trigger
 * shortcuts.
 */
export function PalettePart() {
  const [before] = useState(document.activeElement)
  const [typed, setTyped] = useState('')
  return (
    <>
      <Suspense fallback={<Typing text={typed} onType={setTyped} />}>
        <Palette typed={typed} row={rowOf(before)} onDismiss={closeOverlay} />
      </Suspense>
      {/* Must follow the palette, which keeps the focus as long as it exists. */}
      <FocusAfterwards element={before} />
    </>
  )
}

function Typing({ text, onType }: { text: string; onType: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus({ preventScroll: true }), [])
  useLoadingDialog(true, closeOverlay)
  return (
    <input
      ref={input}
      aria-label="Search"
      autoComplete="off"
      value={text}
      onChange={(event) => onType(event.target.value)}
      className="sr-only"
    />
  )
}

/**
 * The library would return the focus to its previous holder, possibly the input above. Not in a
 * layout effect: the surrounding page cannot take the focus yet at that time.
 */
function FocusAfterwards({ element }: { element: Element | null }) {
  useEffect(
    () => () => {
      if (element instanceof HTMLElement) element.focus({ preventScroll: true })
    },
    [element],
  )
  return null
}
