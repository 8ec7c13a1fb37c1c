import {
  type ComponentType,
  lazy,
  type LazyExoticComponent,
  type ReactNode,
  Suspense,
  useState,
} from 'react'
import { tooltip } from './tooltip.tsx'

export type PopupButtonLook = {
  label: string
  className: string
  tooltip?: string
  children: ReactNode
}

/** What happened to a button before the code of its popup was there. */
export type PopupBeginning = {
  /** How it was pressed; `first` and `last` by keyboard: the item that gets the focus. */
  pressed?: 'pointer' | 'first' | 'last'
  focused?: boolean
}

export type PopupProps = {
  button: PopupButtonLook
  /** Returns it once, then nothing. */
  takeBeginning: () => PopupBeginning
}

let hurry: () => void
/** Resolves when the browser is idle after the first paint, or as soon as the user needs a popup. */
const leisure = new Promise<void>((resolve) => {
  hurry = resolve
})
const whenIdle = window.requestIdleCallback ?? ((work: () => void) => setTimeout(work, 200))
let scheduled = false

/** A component with a popup. A page does not wait for its code. */
export function popup<P extends PopupProps>(
  load: () => Promise<ComponentType<P>>,
): LazyExoticComponent<ComponentType<P>> {
  return lazy(async () => {
    if (!scheduled) whenIdle(hurry, { timeout: 2000 })
    scheduled = true
    await leisure
    return { default: await load() }
  })
}

function rememberBeginning() {
  let beginning: PopupBeginning = {}
  return {
    add: (more: PopupBeginning) => void (beginning = { ...beginning, ...more }),
    take() {
      const all = beginning
      beginning = {}
      return all
    },
  }
}

/**
 * A button that opens a popup. Until the code of the popup is there, a plain button that looks the
 * same stands in for it, and remembers that it was pressed or focused.
 */
export function PopupButton(props: {
  button: PopupButtonLook
  children: (props: PopupProps) => ReactNode
}) {
  const { button, children } = props
  const [{ add, take }] = useState(rememberBeginning)
  const press = (pressed: PopupBeginning['pressed']) => {
    add({ pressed })
    hurry()
  }
  return (
    <Suspense
      fallback={
        <button
          type="button"
          aria-label={button.label}
          aria-haspopup
          aria-expanded={false}
          className={button.className}
          onPointerEnter={hurry}
          onFocus={hurry}
          onClick={({ detail }) => press(detail === 0 ? 'first' : 'pointer')}
          onKeyDown={({ key }) => {
            if (key === 'ArrowDown') press('first')
            else if (key === 'ArrowUp') press('last')
          }}
          ref={(element) => () => add({ focused: element === document.activeElement })}
          {...tooltip(button.tooltip)}
        >
          {button.children}
        </button>
      }
    >
      {children({ button, takeBeginning: take })}
    </Suspense>
  )
}
