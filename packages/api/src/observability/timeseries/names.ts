const word = '([a-z]+[a-z0-9]*)(_([a-z0-9]+))*'

/** Pattern of time series names, `target:metric`. */
export const TIMESERIES_NAME = `^(${word}):(${word})$`
