/** A part of the log. */
export interface LogPart {
  /** Of a file. */
  name: string
  text: string
}

/** What a host can tell of itself to those who look for a fault. Nothing of it is a secret. */
export interface Diagnostics {
  /** Versions of the runtime and of the operating system. */
  versions: () => Record<string, string>
  /** How the host is configured; secrets are left out. */
  configuration: () => Record<string, unknown>
  /** How the host is doing: memory, room on the disk, since when it runs. */
  status: () => Promise<Record<string, unknown>>
  /**
   * The end of the log: that of this server and, where servers share a directory, of the others; also
   * of those that have ended. A JSON object in each line.
   */
  log: () => AsyncIterable<LogPart>
}
