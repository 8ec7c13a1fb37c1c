import type { ReactNode } from 'react'
import { createStore } from './store.ts'

export type Toast = {
  content: ReactNode
  variant?: 'success' | 'error'
  title?: string
  link?: ReactNode
  /** Milliseconds; null keeps it until dismissed. Default 5 s, errors 15 s. */
  timeout?: number | null
}

export type ShownToast = Toast & { id: number }

/** What `ToastStack` shows. */
export const toasts = createStore<readonly ShownToast[]>([])
let nextId = 1

export function addToast(toast: Toast | string): void {
  const full = typeof toast === 'string' ? { content: toast } : toast
  toasts.set([...toasts.get(), { ...full, id: nextId++ }])
}

export function errorToast(title: string, message: string): void {
  addToast({ variant: 'error', title, content: message })
}
