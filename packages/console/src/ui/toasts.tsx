import type { ReactNode } from 'react'
import { createStore } from './store.ts'

export type Toast = {
  content: ReactNode
  variant?: 'success' | 'error' | 'notice'
  title?: string
  link?: ReactNode
  /** Milliseconds; null keeps it until dismissed. Default 5 s, errors 15 s. */
  timeout?: number | null
  /** Called when the user dismisses it. */
  onDismiss?: () => void
}

export type ShownToast = Toast & { id: number }

/** What `ToastStack` shows. */
export const toasts = createStore<readonly ShownToast[]>([])
let nextId = 1

/** @returns removes it */
export function addToast(toast: Toast | string): () => void {
  const full = typeof toast === 'string' ? { content: toast } : toast
  const id = nextId++
  toasts.set([...toasts.get(), { ...full, id }])
  return () => removeToast(id)
}

export const removeToast = (id: number): void =>
  toasts.set(toasts.get().filter((toast) => toast.id !== id))

export function errorToast(title: string, message: string): void {
  addToast({ variant: 'error', title, content: message })
}

/** Says what was done to a thing: `BGP configuration main updated`. */
export function doneToast(thing: string, name: ReactNode, done: string): void {
  addToast({
    content: (
      <>
        {thing} <b>{name}</b> {done}
      </>
    ),
  })
}
