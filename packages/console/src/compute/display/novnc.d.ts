/** The part of noVNC that the console uses; the package has no types of its own. */
declare module '@novnc/novnc' {
  interface RfbEvents {
    connect: CustomEvent<object>
    /** The connection has ended; `clean` if it was closed on purpose. */
    disconnect: CustomEvent<{ clean: boolean }>
    credentialsrequired: CustomEvent<{ types: string[] }>
    securityfailure: CustomEvent<{ status: number; reason?: string }>
    /** The guest has copied a text. */
    clipboard: CustomEvent<{ text: string }>
  }

  /** A client of RFB, drawn in a canvas of its own inside of the target. */
  export default class RFB {
    /**
     * @param channel a socket that is open or opens; its handlers (`onmessage`…) belong to the client
     * @param options `shared`: the connections of others go on
     */
    constructor(target: HTMLElement, channel: WebSocket, options?: { shared?: boolean })
    /** Fits the picture into the target. */
    scaleViewport: boolean
    /** CSS value behind the picture. */
    background: string
    addEventListener<Type extends keyof RfbEvents>(
      type: Type,
      listener: (event: RfbEvents[Type]) => void,
    ): void
    /** Ends the connection, and removes the canvas. */
    disconnect(): void
    focus(options?: FocusOptions): void
    sendCtrlAltDel(): void
    /**
     * @param keysym of X11
     * @param code as in `KeyboardEvent.code`; null if there is none
     * @param down whether it is pressed or released; both without it
     */
    sendKey(keysym: number, code: string | null, down?: boolean): void
    /** Offers a text to the clipboard of the guest, which needs an agent to take it. */
    clipboardPasteFrom(text: string): void
    toBlob(callback: (picture: Blob | null) => void, type?: string): void
  }
}
