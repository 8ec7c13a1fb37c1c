/** A part of the log. */
export interface LogPart {
  /** Name of the file. */
  name: string
  text: string
}

/** Information about a host for troubleshooting. None of it is secret. */
export interface Diagnostics {
  /** Versions of the runtime and of the operating system. */
  versions: () => Record<string, string>
  /** How the host is configured; secrets are left out. */
  configuration: () => Record<string, unknown>
  /** The state of the host: memory, free disk space, time of its start. */
  status: () => Promise<Record<string, unknown>>
  /**
   * The end of the log: of this server and, where servers share a directory, of the others,
   * including stopped ones. A JSON object in each line.
   */
  log: () => AsyncIterable<LogPart>
}
