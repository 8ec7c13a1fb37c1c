import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { rowOf } from '../ui/keyboard/rows.ts'
import { lazyPart } from '../ui/lazy-part.ts'
import { useComingDialog } from '../ui/dialog.tsx'
import { closeOverlay } from '../page/overlays.ts'

const Palette = lazyPart(() => import('./palette.tsx').then((m) => ({ default: m.Palette })))

/** The open palette. What is typed before its code is there is not lost, and is no shortcut. */
export function PalettePart() {
  const [before] = useState(document.activeElement)
  const [typed, setTyped] = useState('')
  return (
    <>
      <Suspense fallback={<Typing text={typed} onType={setTyped} />}>
        <Palette typed={typed} row={rowOf(before)} onDismiss={closeOverlay} />
      </Suspense>
      {/* After the palette, which keeps the focus as long as it is there. */}
      <FocusAfterwards element={before} />
    </>
  )
}

function Typing({ text, onType }: { text: string; onType: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => input.current?.focus({ preventScroll: true }), [])
  useComingDialog(true, closeOverlay)
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
 * The library would give the focus back to what had it last, which may be the input above. Not in a
 * layout effect, at whose time the page around the palette still cannot have the focus.
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
