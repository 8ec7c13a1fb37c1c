/** Movement in pixels beyond which a click becomes a drag. */
const SLIP = 6

/** The latest press of a mouse's main button; fingers and pens scroll instead. */
let press: PointerEvent | undefined

/** Records presses from now on, because the code of menus loads only after the first press. */
export function watchMouse(): void {
  document.addEventListener(
    'pointerdown',
    (event) => {
      press = event.pointerType === 'mouse' && event.button === 0 ? event : undefined
    },
    true,
  )
}

/** Whether the mouse was pressed on the element and dragged away before this event. */
export function isDragFrom(
  element: Element | null,
  { clientX, clientY }: { clientX: number; clientY: number },
): boolean {
  if (!press || !element?.contains(press.target as Node)) return false
  return Math.hypot(clientX - press.clientX, clientY - press.clientY) > SLIP
}
