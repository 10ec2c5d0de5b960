/** The hash under which tables keep an address in lower case. `email`: an SQL expression. */
export const addressHashSql = (email: string): string => `substr(sha256(convert_to(${email}, 'UTF8')), 1, 16)`
