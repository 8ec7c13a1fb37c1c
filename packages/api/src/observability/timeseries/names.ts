const word = '([a-z]+[a-z0-9]*)(_([a-z0-9]+))*'

/** The form of the name of a time series, `target:metric`. */
export const TIMESERIES_NAME = `^(${word}):(${word})$`
