package io.coil.admin.rest;

import io.coil.admin.access.Caller;
import io.coil.admin.snapshot.Current;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;

import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the description of the REST API says besides what is found in the code. */
@Configuration(proxyBeanMethods = false)
class OpenApiDescription {
    static {
        SpringDocUtils.getConfig().addRequestWrapperToIgnore(Current.class, Caller.class);
    }

    @Bean
    OpenAPI openApi() {
        return new OpenAPI()
                .info(
                        new Info()
                                .title("Coil")
                                .version("v1")
                                .description(
                                        "Pools, blocks and addresses of a cluster, and collections."
                                                + " Tokens are those of the Kubernetes API, and so are"
                                                + " rights."))
                .components(
                        new Components()
                                .addSecuritySchemes(
                                        "token",
                                        new SecurityScheme()
                                                .type(SecurityScheme.Type.HTTP)
                                                .scheme("bearer")))
                .addSecurityItem(new SecurityRequirement().addList("token"));
    }
}
