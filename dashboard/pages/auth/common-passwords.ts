/** Of the passwords that lists of stolen ones name most often, those that are long enough for us. */
const common = new Set(
  `123456 1234567 12345678 123456789 1234567890 0123456789 123123 123321 111111 000000 654321 666666 121212 112233
  777777 888888 987654321 1q2w3e 1q2w3e4r 1q2w3e4r5t 1qaz2wsx qwerty qwerty1 qwerty12 qwerty123 qwertyuiop qazwsx
  asdfgh asdfghjkl zxcvbn zxcvbnm abc123 abcd1234 a123456 a12345678 aa123456 abcdef password password1 password12
  password123 passw0rd p@ssw0rd p@ssword pass1234 secret letmein welcome welcome1 admin1 admin123 administrator
  iloveyou princess sunshine monkey dragon football baseball superman batman master shadow michael jordan jennifer
  hunter charlie freedom whatever trustno1 starwars pokemon computer internet samsung google liverpool chelsea arsenal
  summer winter flower cookie cheese banana orange purple ginger pepper killer matrix changeme default test123 testing
  login123 user1234 hello123 loveme lovely ashley daniel thomas andrew jessica`.split(/\s+/),
)

/** Whether a password is among the most common ones. */
export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase())
}
