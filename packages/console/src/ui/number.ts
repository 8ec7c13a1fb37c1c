/** A count as it is shown, `1,204`. */
export const formatCount = (count: number): string => count.toLocaleString('en-US')
