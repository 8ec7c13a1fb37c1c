import { type RefObject, useEffect, useRef, useState } from 'react'
import { CircleCheck, CircleX, Info, X } from 'lucide-react'
import { distanceAboveBars } from './bottom-bar.tsx'
import { cx } from './cx.ts'
import { removeToast, type ShownToast, type Toast, toasts } from './toasts.tsx'

const looks: Record<NonNullable<Toast['variant']>, { icon: typeof Info; className: string }> = {
  success: { icon: CircleCheck, className: 'text-green-text' },
  error: { icon: CircleX, className: 'text-red-text' },
  notice: { icon: Info, className: 'text-blue-text' },
}

/**
 * Keeps toasts above the bars of the page and its dialogs. These come, go and move at any time,
 * so it checks in every frame while there are toasts. The page reserves the same room at its
 * end, so that everything can be scrolled out from under them.
 */
function useClearOfBars(stack: RefObject<HTMLElement | null>, active: boolean) {
  useEffect(() => {
    const element = stack.current
    if (!element || !active) return
    const root = document.documentElement
    let frame = 0
    const place = () => {
      element.style.bottom = `${distanceAboveBars(element)}px`
      root.style.setProperty('--toasts-room', `${element.offsetHeight + 16}px`)
      frame = requestAnimationFrame(place)
    }
    place()
    return () => {
      cancelAnimationFrame(frame)
      root.style.removeProperty('--toasts-room')
    }
  }, [stack, active])
}

const signsOfUser = ['pointermove', 'pointerdown', 'keydown', 'wheel'] as const

/** Whether the user has pressed or moved something since the toast appeared. */
function useUserSince(): boolean {
  const [present, setPresent] = useState(false)
  useEffect(() => {
    const heard = new AbortController()
    const notice = (event: Event) => {
      // A browser also tells of a resting pointer under which the page has moved.
      if (event instanceof PointerEvent && event.type === 'pointermove') {
        if (!event.movementX && !event.movementY) return
      }
      setPresent(true)
      heard.abort()
    }
    for (const sign of signsOfUser) {
      window.addEventListener(sign, notice, { capture: true, passive: true, signal: heard.signal })
    }
    return () => heard.abort()
  }, [])
  return present
}

/**
 * Rendered once by the shell, after the first paint. Stays reachable for assistive technology
 * over modals.
 */
export function ToastStack() {
  const shown = toasts.useValue()
  const stack = useRef<HTMLDivElement>(null)
  // Toasts stay while the user reads them or reaches for one.
  const [held, setHeld] = useState(false)
  useClearOfBars(stack, shown.length > 0)
  return (
    <div
      ref={stack}
      // Not by entering: a toast may appear under a pointer that rests on a button.
      onPointerMove={({ movementX, movementY }) => (movementX || movementY) && setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      data-testid="Toasts"
      data-react-aria-top-layer="true"
      aria-live="polite"
      className="pointer-events-none fixed end-4 bottom-4 z-[900] flex w-[min(360px,calc(100vw-2rem))] flex-col gap-2"
    >
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} held={held} />
      ))}
    </div>
  )
}

function ToastCard({ toast, held }: { toast: ShownToast; held: boolean }) {
  const { id, variant = 'success', content, link, onDismiss } = toast
  const failed = variant === 'error'
  const title = toast.title ?? (failed ? 'Error' : undefined)
  const timeout = toast.timeout === undefined ? (failed ? 15_000 : 5000) : toast.timeout
  const seen = useUserSince()
  useEffect(() => {
    if (timeout === null || held || !seen) return
    const timer = setTimeout(() => removeToast(id), timeout)
    return () => clearTimeout(timer)
  }, [id, timeout, held, seen])
  const { icon: Icon, className } = looks[variant]
  return (
    <div className="pointer-events-auto flex animate-[rise-in_160ms_ease-out] items-start gap-2.5 rounded-card border border-line-strong bg-floating py-2.5 pe-2 ps-3 shadow-floating">
      <Icon
        size={16}
        strokeWidth={1.5}
        // Announced before the text by screen readers; a title makes it redundant.
        // eslint-disable-next-line jsx-a11y/prefer-tag-over-role -- it draws an svg
        role="img"
        aria-hidden={title ? true : undefined}
        aria-label={title ? undefined : 'Success'}
        className={cx('mt-0.5 shrink-0', className)}
      />
      <div className="min-w-0 flex-1 [&_b]:font-medium [&_b]:text-primary">
        {title && <div className="font-medium">{title}</div>}
        <div className="break-words text-pretty text-secondary">{content}</div>
        {link}
      </div>
      <button
        type="button"
        aria-label="Dismiss notification"
        onClick={() => {
          removeToast(id)
          onDismiss?.()
        }}
        className="flex size-6 items-center justify-center rounded-sm text-tertiary hover:bg-hover hover:text-primary"
      >
        <X size={14} strokeWidth={1.5} aria-hidden />
      </button>
    </div>
  )
}
