// Shows the OpenAPI document in Swagger UI. The token stays in the page, and is gone after a reload.

SwaggerUIBundle({
  url: "/v1/openapi.json",
  dom_id: "#viewer",
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  // By default a service on the internet would validate the document.
  validatorUrl: null,
});
