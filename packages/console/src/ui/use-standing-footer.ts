import { type RefObject, useLayoutEffect } from 'react'

/**
 * The lower edge of a centred dialog stays where it was when the dialog opened. What comes later,
 * such as an error, makes the dialog grow upwards, and its buttons do not move away from the pointer.
 * @param scrim the flex box that has nothing but the dialog in it
 */
export function useStandingFooter(scrim: RefObject<HTMLElement | null>, isOpen: boolean): void {
  useLayoutEffect(() => {
    const box = scrim.current
    if (!isOpen || !box) return
    const stand = () => {
      Object.assign(box.style, { alignItems: '', paddingBottom: '' })
      const dialog = box.firstElementChild
      if (!(dialog instanceof HTMLElement)) return
      // Without the transform of the animation in which the dialog appears.
      const below = box.clientHeight - dialog.offsetTop - dialog.offsetHeight
      Object.assign(box.style, { alignItems: 'flex-end', paddingBottom: `${below}px` })
    }
    stand()
    addEventListener('resize', stand)
    return () => removeEventListener('resize', stand)
  }, [scrim, isOpen])
}
