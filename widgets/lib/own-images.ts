/**
 * How addresses of library images on this page's own server begin: they are shown over plain http too, as on a server on
 * this machine. Where pages are rendered at build there is no address.
 */
export const ownImages = `${typeof location === 'undefined' ? '' : location.origin}/i/`
