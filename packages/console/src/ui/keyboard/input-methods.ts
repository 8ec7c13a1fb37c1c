/**
 * Input methods compose words of several keys: with Enter the user takes a word, with arrows another
 * one. These keys are not for the page.
 */

/** Key code of a key that an input method handles; Safari reports nothing else for the last one. */
const HANDLED = 229

/** Keeps keys of input methods from all handlers of the page. */
export function leaveKeysToInputMethods(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (!event.isComposing && event.keyCode !== HANDLED) return
      // Terminals have an input method of their own, which needs the keys.
      if (event.target instanceof Element && event.target.closest('.xterm')) return
      event.stopImmediatePropagation()
    },
    { capture: true },
  )
}
