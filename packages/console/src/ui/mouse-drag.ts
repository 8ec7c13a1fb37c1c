/** Pixels that a click may slip; a longer way is a drag. */
const SLIP = 6

/** The newest press of the main button of a mouse; fingers and pens scroll instead. */
let press: PointerEvent | undefined

/** Remembers presses from now on. Before the first menu is opened, its own code is not loaded. */
export function watchMouse(): void {
  document.addEventListener(
    'pointerdown',
    (event) => {
      press = event.pointerType === 'mouse' && event.button === 0 ? event : undefined
    },
    true,
  )
}

/** Whether the mouse was pressed on an element and has been moved away since, up to this event. */
export function isDragFrom(
  element: Element | null,
  { clientX, clientY }: { clientX: number; clientY: number },
): boolean {
  if (!press || !element?.contains(press.target as Node)) return false
  return Math.hypot(clientX - press.clientX, clientY - press.clientY) > SLIP
}
