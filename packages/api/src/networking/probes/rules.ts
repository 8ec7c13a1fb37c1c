export const probeMessages = {
  expunged: (sled: string) => `Sled ${sled} has been expunged, so a probe cannot be on it`,
} as const
