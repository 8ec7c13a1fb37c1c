import type { ReactNode } from 'react'
import { createStore } from './store.ts'

export type Toast = {
  content: ReactNode
  variant?: 'success' | 'error' | 'notice'
  title?: string
  link?: ReactNode
  /** Name or ID of the resource that it reports about. */
  about?: ReactNode
  /**
   * Milliseconds from the first sign of the user after it appeared; null keeps it until dismissed.
   * Default 5 s, errors 15 s.
   */
  timeout?: number | null
  /** Called on dismissal by the user. */
  onDismiss?: () => void
}

export type ShownToast = Toast & { id: number }

/** The toasts of `ToastStack`. */
export const toasts = createStore<readonly ShownToast[]>([])
let nextId = 1

/** @returns removes the toast */
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

/** Reports a completed action: `BGP configuration main updated`. */
export function doneToast(thing: string, name: ReactNode, done: string): void {
  addToast({
    about: name,
    content: (
      <>
        {thing} <b>{name}</b> {done}
      </>
    ),
  })
}
