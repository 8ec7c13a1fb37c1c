import type RFB from '@novnc/novnc'
import { wait } from '../../data/throttle.ts'
import type { ConnectionState } from '../serial-console/connection.ts'
import { openConsoleSocket } from '../serial-console/socket.ts'
import { keysOf, SHIFT } from './keys.ts'

const FIRST_RETRY = 1000
const LONGEST_RETRY = 30_000
/** Milliseconds after which a connection counts as stable, which resets the retry delay. */
const STABLE_AFTER = 10_000
/** Milliseconds between two typed keys: guests that boot take them one by one. */
const KEY_MS = 15

export type DisplayConnectionOptions = {
  url: () => string
  /** The connection ended; the state of the instance may have changed. */
  onLost: () => void
  /** The guest has copied a text. */
  onCopied: (text: string) => void
}

const idle: ConnectionState = { status: 'closed', hasOutput: false }

/** A connection to the screen of an instance, kept open while its instance allows it. */
export class DisplayConnection {
  #options: DisplayConnectionOptions
  #state: ConnectionState = idle
  #listeners = new Set<() => void>()
  #target: HTMLElement | undefined
  #rfb: RFB | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #wanted = false
  #fits = true
  #failures = 0
  #openedAt = 0
  /** Ends the present attempt, so that its late events are ignored. */
  #attempt: AbortController | undefined

  constructor(options: DisplayConnectionOptions) {
    this.#options = options
  }

  subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }
  snapshot = (): ConnectionState => this.#state

  /**
   * Shows the screen in an element.
   * @returns ends the connection
   */
  attach(target: HTMLElement): () => void {
    this.#target = target
    if (this.#wanted) void this.#open()
    return () => {
      this.#target = undefined
      this.#hangUp()
      this.#set(idle)
    }
  }

  /** Sets whether the instance allows a connection. The server ends an open one. */
  want(wanted: boolean): void {
    if (wanted === this.#wanted) return
    this.#wanted = wanted
    clearTimeout(this.#timer)
    this.#failures = 0
    if (wanted && !this.#rfb) void this.#open()
    if (!wanted && this.#state.status !== 'open') {
      this.#hangUp()
      this.#set(idle)
    }
  }

  /** Retries a failed or waiting connection at once. */
  retry = (): void => {
    const { status } = this.#state
    if (!this.#wanted || (status !== 'failed' && status !== 'waiting')) return
    void this.#open()
  }

  focus = (): void => this.#rfb?.focus()

  /** Fits the picture into the page, or shows it in its own size. */
  fit(fits: boolean): void {
    this.#fits = fits
    if (this.#rfb) this.#rfb.scaleViewport = fits
  }

  sendCtrlAltDel = (): void => {
    this.#rfb?.sendCtrlAltDel()
    this.focus()
  }

  /** Offers a text to the guest's clipboard, and types it as keys. */
  async type(text: string): Promise<void> {
    const rfb = this.#rfb
    if (!rfb) return
    rfb.clipboardPasteFrom(text)
    this.focus()
    for (const { keysym, shift } of keysOf(text)) {
      if (this.#rfb !== rfb) return
      if (shift) rfb.sendKey(SHIFT, 'ShiftLeft', true)
      rfb.sendKey(keysym, null)
      if (shift) rfb.sendKey(SHIFT, 'ShiftLeft', false)
      await wait(KEY_MS)
    }
  }

  /** The present picture, as PNG; undefined if there is none. */
  picture(): Promise<Blob | undefined> {
    return new Promise((resolve) => {
      if (!this.#rfb) return resolve(undefined)
      this.#rfb.toBlob((blob) => resolve(blob ?? undefined), 'image/png')
    })
  }

  #set(state: ConnectionState) {
    this.#state = state
    this.#listeners.forEach((listener) => listener())
  }

  #hangUp() {
    clearTimeout(this.#timer)
    this.#attempt?.abort()
    this.#attempt = undefined
    this.#rfb?.disconnect()
    this.#rfb = undefined
  }

  async #open() {
    this.#hangUp()
    const target = this.#target
    if (!target) return
    const attempt = new AbortController()
    this.#attempt = attempt
    const isOver = () => attempt.signal.aborted
    this.#set({ status: 'connecting', hasOutput: this.#state.hasOutput })
    let Rfb: typeof RFB
    try {
      ;({ default: Rfb } = await import('@novnc/novnc'))
    } catch {
      if (!isOver()) this.#ended('the viewer could not be loaded')
      return
    }
    if (isOver()) return
    let reason = ''
    const socket = openConsoleSocket(this.#options.url())
    socket.addEventListener('close', (event) => {
      reason ||= event.reason
    })
    const rfb = new Rfb(target, socket, { shared: true })
    this.#rfb = rfb
    rfb.background = 'transparent'
    rfb.scaleViewport = this.#fits
    rfb.addEventListener('connect', () => {
      if (isOver()) return
      this.#openedAt = Date.now()
      // noVNC leaves it out of the order of tab stops.
      const canvas = target.querySelector('canvas')
      if (canvas) canvas.tabIndex = 0
      this.#set({ status: 'open', hasOutput: true })
    })
    rfb.addEventListener('clipboard', ({ detail }) => this.#options.onCopied(detail.text))
    rfb.addEventListener('securityfailure', ({ detail }) => {
      reason ||= detail.reason ?? 'the machine refuses viewers'
    })
    rfb.addEventListener('credentialsrequired', () => {
      reason ||= 'the machine asks for a password'
      rfb.disconnect()
    })
    rfb.addEventListener('disconnect', () => {
      if (isOver()) return
      this.#rfb = undefined
      this.#ended(reason)
    })
  }

  #ended(reason: string) {
    const { status, hasOutput } = this.#state
    this.#options.onLost()
    if (!this.#wanted) return this.#set(idle)
    if (!hasOutput) return this.#set({ status: 'failed', hasOutput, reason })
    if (status === 'open' && Date.now() - this.#openedAt > STABLE_AFTER) this.#failures = 0
    const delay = Math.min(FIRST_RETRY * 2 ** this.#failures++, LONGEST_RETRY)
    this.#timer = setTimeout(() => void this.#open(), delay)
    this.#set({ status: 'waiting', hasOutput, retryAt: Date.now() + delay, reason })
  }
}
