/** Runs a command on the host at the uplink, and returns its output. */
export type Run = (command: string, ...args: string[]) => Promise<string>
