/** A style sheet's text, minified when the script is built. */
declare module "*.css" {
  const text: string;
  export default text;
}
