/** The room that parts of pages had when last shown, which is reserved until they are read. */

const KEY = 'rooms'
/** Places remembered at most; the oldest are forgotten first. */
const KEPT = 50

type Rooms = Record<string, number>

function rooms(): Rooms {
  try {
    return { ...(JSON.parse(localStorage.getItem(KEY)!) as Rooms) }
  } catch {
    return {}
  }
}

/** Pixels; undefined in a place that this browser has not shown yet. */
export const roomOf = (place: string): number | undefined => rooms()[place]

export function rememberRoom(place: string, height: number): void {
  const { [place]: former, ...others } = rooms()
  if (former === height) return
  const kept = Object.entries({ ...others, [place]: height }).slice(-KEPT)
  try {
    localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(kept)))
  } catch {
    // A browser without storage, or whose storage is full, remembers nothing.
  }
}
